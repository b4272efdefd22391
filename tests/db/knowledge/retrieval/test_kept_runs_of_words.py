"""Where the words of a run stand together is kept for those owners alone whose lists were looked at."""

import pytest

from knowledge.library_version import index_words, read_index_state
from knowledge.models import Document, Tenant
from knowledge.retrieval.postings import parse_terms, posting_cache, read_postings
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.searchable import Scope
from tests.doubles.library import MODEL, make_chunk, make_document, make_searchable, make_tenant

pytestmark = pytest.mark.django_db
TEXT = "The reserve of fuel lasts to the airport, passage {}."


@pytest.fixture
def school() -> Tenant:
    school = make_tenant()
    for number, document in enumerate((make_document("Shared"), make_document("Own", tenant=school))):
        for at in range(number + 1):
            make_chunk(TEXT.format(10 * number + at), document)
    make_searchable()
    index_words()
    posting_cache.clear()
    return school


def standing(tenant: Tenant | None, *, shared: bool = True) -> int:
    scope = Scope(tenant=tenant.pk if tenant else None, model=MODEL.name, shared=shared)
    known = read_postings(parse_terms([Term(("fuel lasts",))]), scope, read_index_state())
    ((_, (one,)),) = known.by_term()
    assert one.run
    return len(one.found)


@pytest.mark.parametrize("turned", [False, True])
def test_nobody_is_given_the_passages_of_another(school: Tenant, turned: bool) -> None:
    wanted = [(None, True, 1), (school, True, 3), (school, False, 2)]
    for tenant, shared, passages in 2 * (wanted[::-1] if turned else wanted):
        assert standing(tenant, shared=shared) == passages


def test_a_passage_that_is_gone_is_not_kept(school: Tenant) -> None:
    assert standing(school) == 3
    Document.objects.filter(tenant=school).delete()
    assert standing(school) == 1
    index_words()
    assert standing(school) == 1
