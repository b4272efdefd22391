"""Texts that the offline assessor compares whatever a student says become vectors that come with the application.

`python -m training.vectors` writes `exams/offline/graded/vectors.npz`: without them a process embeds some 300 graded
answers, for two seconds, before it judges the first answer to a statement.
"""

from desk.demo.content import demo_claims
from exams.offline.examples import Examples
from exams.offline.vectors import write_vectors
from exams.offline.weighing import FOLDER, texts_of_experience
from training.signs import local_model


def texts() -> tuple[str, ...]:
    """Of the demo's claims: no other statement is examined as it stands."""
    compared = texts_of_experience(Examples.load(FOLDER), [claim.statement for claim in demo_claims()])
    return tuple(sorted(compared))


def main() -> None:
    every = texts()
    write_vectors(FOLDER / "vectors.npz", every, local_model().embed_passages(every))


if __name__ == "__main__":
    main()
