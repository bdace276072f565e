"""User code that only has to type-check."""

from privstamp import Budget, Certificate, Failure, Policy, Privatizer, Result, SurrogateMap


def one(text: str) -> str:
    privatizer = Privatizer(Policy.preset("stamp"), budget=Budget.stamp(20, metric="angular"))
    result: Result = privatizer.privatize(text, task="What happened?", private_task=True)
    certificate: Certificate = result.certificate
    mapping: SurrogateMap = result.map
    total: float = certificate.loss.worst_case
    return result.restore(f"{result.text} {result.task} {total} {len(mapping)}")


def back(result: Result, reply: str) -> list[tuple[str, str]]:
    outcome = result.restored(reply, kinds=["CREDENTIAL"], allow=["PERSON:url"], format="json")
    arguments: str = result.restore_arguments('{"a": "b"}', {"type": "object"}, allow=["IBAN_CODE"])
    stream = result.map.stream()
    print(stream.feed(arguments) + stream.finish(), outcome.text, len(outcome.put_back))
    return [(each.kind, each.reason) for each in outcome.withheld]


def many(texts: list[str]) -> list[str | None]:
    released: list[str | None] = []
    for outcome in Privatizer().privatize_many(texts, [None, "why?"]):
        if isinstance(outcome, Failure):
            print(outcome.index, outcome.error)
            released.append(None)
        else:
            released.append(outcome.text)
    return released
