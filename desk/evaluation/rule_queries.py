"""A labeled query for the rules desk. Pure."""

from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

Country = Annotated[str, Field(pattern=r"^[A-Z]{2}$")]


class RuleQuery(BaseModel):
    """One message after the history of its conversation. `questions` are those that answer it, best first. `route` and
    `missing_countries` are judged only where they are given."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query: Annotated[str, Field(min_length=1, max_length=4000)]
    history: tuple[str, ...] = ()
    countries: tuple[Country, ...] = ()
    questions: tuple[str, ...] = ()
    route: Literal["rules", "database", "both"] | None = Field(
        default=None, validation_alias=AliasChoices("route", "path")
    )
    missing_countries: tuple[Country, ...] | None = None
