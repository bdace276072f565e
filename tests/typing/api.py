"""User code that only has to type-check."""

from privstamp import Budget, Certificate, Failure, Policy, Privatizer, Result, SurrogateMap


def one(text: str) -> str:
    privatizer = Privatizer(Policy.preset("stamp"), budget=Budget.stamp(20, metric="angular"))
    result: Result = privatizer.privatize(text, task="What happened?", private_task=True)
    certificate: Certificate = result.certificate
    mapping: SurrogateMap = result.map
    total: float = certificate.loss.worst_case
    return result.restore(f"{result.text} {result.task} {total} {len(mapping)}")


def many(texts: list[str]) -> list[str | None]:
    released: list[str | None] = []
    for outcome in Privatizer().privatize_many(texts, [None, "why?"]):
        if isinstance(outcome, Failure):
            print(outcome.index, outcome.error)
            released.append(None)
        else:
            released.append(outcome.text)
    return released
