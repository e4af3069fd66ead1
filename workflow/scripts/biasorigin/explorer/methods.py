"""What the page says about tests, limits, settings and sources."""

from biasorigin.wordsets import Test

LIMITS = (
    "A differential bias is an estimate: context vectors are held fixed, and only words of the set move. The retrained "
    "points say how good it is; it is best for few documents and worst for words that are rare.",
    "An association test speaks about its own words. Other words for the same idea may give another number; the "
    "intervals over words show how far.",
    "A test whose words are rare in the corpus rests on few of them. The tables say how many were used "
    "and how many are missing.",
    "Not finding an association is no proof that there is none.",
    "Registers of names describe the United States and are not the people whom a text names.",
    "A debiased embedding can still hide the bias: tests that the repair was not aimed at are shown beside it.",
)


def methods(settings: list[list[str]], tests: dict[str, Test]) -> dict:
    """The Methods view: limits, settings of the run (name and value) and the sources of the word lists."""
    sources = sorted({test.source for test in tests.values() if test.source})
    return {"limits": list(LIMITS), "settings": settings, "sources": sources, "estimator": None}


def tests_in_words(tests: dict[str, Test]) -> dict:
    """Title and the titles of the four lists of each test, by its key."""
    return {
        key: {"title": test.title, "roles": [{"title": one.title} for one in (*test.targets, *test.attributes)]}
        for key, test in tests.items()
    }
