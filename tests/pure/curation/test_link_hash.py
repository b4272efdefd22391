from curation.values import link_hash


def test_hash_does_not_depend_on_how_a_database_writes_values() -> None:
    assert link_hash("", {"b": 1e16, "a": [3.0]}) == link_hash("", {"a": [3], "b": 10_000_000_000_000_000})


def test_hash_depends_on_content_and_on_the_hash_before() -> None:
    hashes = [
        link_hash("", {"a": 1}),
        link_hash("", {"a": 2}),
        link_hash("", {"a": "1"}),
        link_hash("x", {"a": 1}),
    ]
    assert len(set(hashes)) == 4
    assert {len(one) for one in hashes} == {64}


def test_stored_hashes_stay_verifiable() -> None:
    """The hash of a row that was stored once; a change of the method would break every chain."""
    row = {"tenant": None, "number": 1, "reason": "“Fünf”", "after": {"limit": 0.5, "ok": True}}
    assert link_hash("", row) == "8de01ec11e41971f2430a8a198db0f61d1864e6ede01b9d0195cc928c58ba660"
