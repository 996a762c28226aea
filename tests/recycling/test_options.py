"""Settings that a run can't have are refused before it starts."""

import pytest
from verifying import Counting, pages, run

from rowen import UsageError


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_the_share_of_pages_to_verify_is_from_0_to_1(tmp_path, share):
    with pytest.raises(UsageError, match="from 0 to 1"):
        run(tmp_path, [Counting()], pages(0), verify=share)
