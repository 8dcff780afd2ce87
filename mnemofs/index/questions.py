"""What makes a text a question, taken out of its vector, so that what it asks about is compared.

Questions resemble each other more than they resemble their answers: a model that was not trained to
answer puts "asking" and "about me" into the direction of a vector. The mean directions of questions
about oneself and about others are measured once for a model (`benchmarks/question_directions.py`)
and removed by projection; a text that asks nothing has next to nothing of them and stays as it is.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Embedder id -> rows of int8, each scaled to its largest number.
_MEASURED = {
    "use-multilingual-v3/1": (
        "7AMJM9AQD/myChATYgEY+wXG9/8HARAJa90oHfvL8h0UsAc32QkYBwzzuwX380YIB/0zGebyDwogAPwNAwUO8Pn20/jx"
        "8DH6AgXzGOz14XKE7P4RDPkKHt0CzP/79BcKxmYTBPb19PAoAAHC6w329wvqIAUDDe8s8CHs5uz2GRX8DAn27Q77RRT1"
        "Z/wSJuUQPfeoDdn/+wEeFvIBHxYAFNUIwfX+UuMK9doGC+7g/isT9gF2JgX7IxXu8kARGvz87fEc9N8WB9895QMuA+/0"
        "5OoBAQTtDyL7BRbx7O0e9u3+EgYD+NfxCAj0/EYPCwb4EOfY2Q4Tuejm/vzm7P3zAA7r1jEBFQMJBL7hygr56/z4Exoh"
        "NxccAOUUIhQJA6ThB/gT9drkJMoWAfO9MA4C4QIcBkG1CgYA6vbeaR/j4f0ILOL5CvkZGRav3/IpMPTI0fAuDOv/8ff8"
        "8AXgIAcJIuoUAP32DAnlFwP14P7a8qkO5A0L9Qjo7NIH9Ov35BD+G/oI4QQHDQAB+P3uFRX1EwzuKvECDfEH+xMHCPYK"
        "Bgf/FgkHLv3hEt71OCVS0d4AAQP+Fd3zI+gq5yQN7wdN++vyAA4fDRQJAfTlIP0tE/8SAxEZHNY6I+rvXAYA/gYJ9d35"
        "/C7oFUQBHgEwACbvxRQaSgr6AqcI1t79DATTGn/EMvERMSMZ/PXbAPJe+vkXCNkXBOv0IPtwyiYNC6UQ7xuw/Di15hQI"
        "2ujYDggWUwfk8RsQDgP3GynsCxvqydTv5//wEefpNyvb2/YR8APlZoPq/yoVOOAf9/vQAwjmRCTCagML/vjaDTHmEa/k"
        "+/r2z+gmLhLXIA0jBQjr5OkT+P3r7Qzi7QtU8u5o+/IRE/FHKq0f0BAMCQoaEuYlEd0fDAL/GQxU8izvDwgLCRH9/O37"
        "KXv7AtUOKfz7QRXSBcby7Mnq3RoT9RTuEvn19fX/8wT+7u4PBe35L9T+ERwP4yz3DfoGCgTl6eb34hAI8wAd2bgAICC8"
        "8Pgd9gjiAtzr9hYFLgb2Ef0i7fvC5wf4Cfz88A4ODd7pBv8VECQZn/DsBBYf2+5aqwgI/WAeDgAlAgy2R7gEIRLVBQpV"
        "E/0iDdY19vj9Cx4vRb/e+/EKzt7SEEoT2//rEBcIJfEG29wP3vEIDgAfBsIIDfmu2vXOFBAFAAdC8QEZxf8TBQLlEAXu"
        "3fr41Qf9DSPf6sIOFBCW+QTA7DYV7RgJDyvnFM4ZAPIP2P4z4Mz3u+QvAFbz5hL0ALkZ0+s93vPY/QT3BQstAQYbRB/h"
        "FuAa5c8FEewY9Bol6xrD9swN4/pT/QsYKP/uv/nrCgMLQf0pDy3d+RHaJRYf+uf8rvnFJQviJcMffw=="
    ),
}
_ROWS = 2
# A question of which less than this is left was nothing but a question.
_LEAST = 0.3


def statement(embedder: str, unit: NDArray[np.float32]) -> NDArray[np.float32]:
    """The unit vector of a question less the directions of asking; unchanged for a model that was
    not measured."""
    import numpy as np

    if embedder not in _MEASURED:
        return unit
    basis = _basis(embedder)
    rest = unit - basis.T @ (basis @ unit)
    size = np.linalg.norm(rest)
    return (rest / size).astype(np.float32) if size >= _LEAST else unit


@cache
def _basis(embedder: str) -> NDArray[np.float32]:
    import numpy as np

    packed = np.frombuffer(base64.b64decode(_MEASURED[embedder]), np.int8)
    directions = packed.reshape(_ROWS, -1).astype(np.float32)
    basis: NDArray[np.float32] = np.linalg.qr(directions.T)[0].T
    return basis
