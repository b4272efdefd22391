"""What every frame and every part of a frame has in common: strict, closed, unchangeable."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from exams.conf import TURN_NUMBER_MOST

TurnNumber = Annotated[int, Field(ge=1, le=TURN_NUMBER_MOST)]


class StrictFrame(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
