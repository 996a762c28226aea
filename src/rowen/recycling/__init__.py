"""Recycling: a changed corpus costs only what changed.

The paper is Cyclex (Chen, Doan, Yang and Ramakrishnan, ICDE 2008).

With the paper in hand, read in this order:

- section 3, scope and context: `rowen.extractors.locality`;
- section 5, the page matchers: `match`;
- section 6, what to copy and what to extract: `regions`, `segments`, `recycle` for one page;
- section 7, the cost model and the choice of a matcher: `cost`, `plan`;
- the whole: `page_changes` and `renamed_pages` pair old and new pages, `partition` does section 6
  for a part of a snapshot, `run` puts everything together, and `report` says what was done;
- `verification` checks what was copied, and `changes` compares the records of two snapshots.
  Neither is in the paper.
"""
