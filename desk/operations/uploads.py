"""What an operator uploads, as files with their options: loose files, the files of zips, a `library.csv` among them."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from django.core.files import File
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http.multipartparser import MultiPartParser

from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.folder_import import FoundFile, files_in
from knowledge.ingestion.jobs.rejected_uploads import record_refusal
from knowledge.ingestion.jobs.zip_uploads import NAME_BYTES, unpack_zip
from knowledge.ingestion.library_csv import TABLE_NAME
from knowledge.ingestion.source_files import BadOption, kept_name
from knowledge.models import Tenant

ZIP = ".zip"


class KeepFolders(FileUploadHandler):
    """Keep the folders that a browser sends with a file's name, and that Django cuts off, as the file's `path`."""

    def handle_raw_input(
        self, input_data: Any, META: Any, content_length: int, boundary: str, encoding: str | None = None
    ) -> Any:
        """Parse the body in Django's place, with its other handlers."""
        others = [one for one in self.request.upload_handlers if one is not self]  # type: ignore[union-attr]
        return _PathParser(META, input_data, others, encoding).parse()


class _PathParser(MultiPartParser):
    def sanitize_file_name(self, file_name: str) -> str | None:
        self._path = file_name
        return super().sanitize_file_name(file_name)

    def handle_file_complete(self, old_field_name: str, counters: list[int]) -> None:
        """A file is complete before the name of the next is read."""
        super().handle_file_complete(old_field_name, counters)
        self._files.getlist(old_field_name)[-1].path = self._path  # type: ignore[attr-defined]


@dataclass(slots=True)
class Unpacked:
    """The files to hand in, each with what its table says of it, and a line for each one that is left out."""

    files: list[tuple["UploadedFile[Any] | Path", Mapping[str, str]]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def opened(self) -> Iterator[tuple["UploadedFile[Any]", Mapping[str, str]]]:
        """The files one after the other, each open until the next."""
        for file, options in self.files:
            if isinstance(file, UploadedFile):
                yield file, options
                continue
            with file.open("rb") as content:
                yield UploadedFile(File(content), file.name, size=file.stat().st_size), options


@contextmanager
def unpacked_files(
    files: Sequence["UploadedFile[Any]"], *, tenant: Tenant | None, created_by: Any
) -> Iterator[Unpacked]:
    """The files of an upload, for as long as the block lasts. What is left out has a row, as any refused file; a zip or
    a table that is wrong leaves out all of its files."""
    found = Unpacked()
    with TemporaryDirectory(prefix="heydpe-upload-") as place:
        folders: list[tuple[str, Path]] = []
        loose = [file for file in files if not _name(file).lower().endswith(ZIP)]
        if any(_name(file) == TABLE_NAME or len(_path(file).parts) > 1 for file in loose):
            folders.append(("", _store_loose(loose, Path(place))))
        else:
            found.files += [(file, {}) for file in loose]

        def leave_out(name: str, why: str, code: str) -> None:
            name = name.replace("/", " › ")  # whatever folders it names
            found.left_out.append(f"{name}: {why}")
            record_refusal(name, RefusedFile(why, code), tenant=tenant, created_by=created_by)

        for number, file in enumerate(files):
            if not _name(file).lower().endswith(ZIP):
                continue
            folder = Path(place) / f"zip-{number}"
            folder.mkdir()
            try:
                for left in unpack_zip(file, folder):  # type: ignore[arg-type]
                    leave_out(f"{_name(file)} › {left.name}", left.why, "left_out")
                folders.append((f"{_name(file)} › ", folder))
            except RefusedFile as refused:
                leave_out(_name(file), str(refused), refused.code)
        for prefix, folder in folders:
            try:
                entries = files_in([folder])
            except BadOption as error:
                why = str(error).replace(f"{folder}/", "")
                leave_out(f"{prefix}{TABLE_NAME}", f"{why}. None of its files was taken.", "bad_option")
                continue
            for one in entries:
                if isinstance(one, FoundFile):
                    found.files.append((one.path, one.options))
                else:
                    leave_out(f"{prefix}{one.path.relative_to(folder)}", one.why, one.code or "left_out")
        yield found


def _name(file: "UploadedFile[Any]") -> str:
    return kept_name(file.name or "")


def _path(file: "UploadedFile[Any]") -> Path:
    """The file's name with the folders that came with it, none of which leads out."""
    named = str(getattr(file, "path", file.name)).replace("\\", "/").split("/")
    parts = [kept_name(part) for part in named if part.strip(". ")]
    return Path(*(part.encode()[-NAME_BYTES:].decode(errors="ignore") for part in parts or ["unnamed"]))


def _store_loose(files: Sequence["UploadedFile[Any]"], place: Path) -> Path:
    """The files in one folder, where a table finds them by their names; another file of a name has its own folder."""
    folder = place / "loose"
    folder.mkdir()
    for file in files:
        path = folder / _path(file)
        if path.exists() or any(parent.is_file() for parent in path.parents):
            path = Path(mkdtemp(dir=folder)) / path.name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as out:
            shutil.copyfileobj(file, out)
    return folder
