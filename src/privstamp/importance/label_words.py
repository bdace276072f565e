"""Words that tell the classes of common tasks apart: short lists of our own, by preset."""

from __future__ import annotations

from typing import Final

PRESETS: Final[dict[str, str]] = {
    "topic-news": """
        world government president minister war military election peace treaty border troops
        parliament embassy rebels protest nations
        sports game team season league coach cup championship players match tournament score
        olympic football baseball tennis
        business company market stocks shares profit bank economy prices investors merger earnings
        sales oil trade
        science technology software computer internet space research web phone scientists planet
        satellite virus online chip
    """,
    "sentiment": """
        excellent amazing wonderful fantastic perfect best great love loved delicious friendly
        good nice enjoyed recommend pleasant happy helpful
        okay average decent fine mediocre ordinary
        bad poor disappointing disappointed bland slow dirty overpriced wrong
        terrible awful horrible worst disgusting rude hate hated waste never not
    """,
    "intent": """
        order buy purchase cancel refund return deliver delivery ship payment invoice charge price
        account password login register subscribe upgrade book reserve reschedule
        broken error complaint problem issue help support question information contact
        thanks feedback opinion request urgent
    """,
    "medical": """
        patient diagnosis symptoms pain fever cough disease infection cancer diabetes hypertension
        fracture allergy treatment therapy surgery medication dose tablet prescribed chronic acute
        scan biopsy blood pressure heart lung kidney liver pregnancy depression anxiety
        history examination admitted discharged
    """,
}
"""topic-news: world, sports, business, science. sentiment: how a review is meant, stars included.
intent: what a customer wants. medical: what a clinical note is about."""
