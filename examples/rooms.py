"""Rooms and times of meetings: a relation pairs those that are close together.

The example of the Cyclex paper (section 3), as a relation between two patterns.

    python examples/rooms.py
"""

import rowen

PAGE = """\
Talks this week

Databases: Mary Hall in CS 105, 2 pm. Coffee afterwards.
Networks moved: not CS 105 but CS 310, 4 pm.
Compilers, 9:30 am, CS 77B (bring a laptop)
Reading group: to be announced
"""

room = rowen.Pattern(r"\b(?P<room>CS \d+[A-Z]?)\b", name="rooms")
time = rowen.Pattern(r"\b(?P<time>\d{1,2}(:\d\d)? [ap]m)\b", name="times")

# For each time the nearest room, at most 40 characters from end to end, and never across a line.
meetings = rowen.Relation(
    {"time": time, "room": room},
    distance=40,
    pairing="nearest",
    within="\n",
    name="meetings",
)


def main() -> None:
    """Print the meetings on the page."""
    print(f"{meetings.name} has the fields {', '.join(meetings.fields)}")
    print(f"and looks no further than {meetings.locality}:\n")
    for record in meetings.extract(PAGE):
        values = record.values
        print(f"{values['room']}   {values['time']}")


if __name__ == "__main__":
    main()
