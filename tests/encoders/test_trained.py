from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.rows import each_row
from transformers import (
    BertConfig,
    BertModel,
    DistilBertConfig,
    DistilBertModel,
    ModernBertConfig,
    ModernBertModel,
)

from anagnosis.encoders.trained import set_dropout, trained_parameters
from anagnosis.errors import InputError

SMALL: dict[str, Any] = {
    "vocab_size": 30,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
}


def bert(**given: Any) -> Any:
    return BertModel(BertConfig(**SMALL, intermediate_size=32, **given), add_pooling_layer=False)


def distilbert(**given: Any) -> Any:
    return DistilBertModel(
        DistilBertConfig(vocab_size=30, dim=16, n_layers=2, n_heads=2, hidden_dim=32, **given)
    )


def modernbert(**given: Any) -> Any:
    special = dict.fromkeys(("pad", "bos", "eos", "cls", "sep"), 0)
    ids = {f"{name}_token_id": number for name, number in special.items()}
    return ModernBertModel(ModernBertConfig(**SMALL, **ids, intermediate_size=32, **given))


every = pytest.mark.parametrize("make", [bert, distilbert, modernbert])
PIECES = torch.arange(1, 13)[None]


def differs(model: Any) -> bool:
    """Whether two passes in training mode differ."""
    model.train()
    with torch.no_grad():
        return not torch.equal(*[model(input_ids=PIECES).last_hidden_state for _ in range(2)])


@every
@each_row("rates", [(0.0, 0.0), (0.3, 0.0), (0.0, 0.3), (0.3, 0.2)])
def test_shares_are_dropped_out_as_told(make: Any, rates: tuple[float, float]) -> None:
    model = make()
    set_dropout(model, *rates)
    assert differs(model) == (rates != (0, 0))
    # Before another is set, and after a module was made of the config.
    assert differs(type(model)(model.config)) == (rates != (0, 0))
    set_dropout(model, 0, 0)
    assert not differs(model)


@pytest.mark.parametrize(
    ("make", "attention"), [(bert, "attention.self.dropout"), (distilbert, "attention.dropout")]
)
def test_attention_has_its_own_share(make: Any, attention: str) -> None:
    model = make()
    set_dropout(model, 0.25, 0.5)
    rates = {name: module.p for name, module in model.named_modules() if isinstance(module, torch.nn.Dropout)}
    assert {name for name, rate in rates.items() if rate == 0.5} == {
        n for n in rates if n.endswith(attention)
    }
    assert set(rates.values()) == {0.25, 0.5}
    assert len(rates) > 4


class Bare(torch.nn.Module):
    """An encoder that drops out a rate of its own, or nothing."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config
        self.dropout = torch.nn.Dropout(config.own)


@each_row("case", [(0.0, 0.1, 0.0), (0.0, 0.0, 0.1), (0.3, 0.0, 0.0), (0.3, 0.3, 0.1)])
def test_an_encoder_that_cannot_be_set_is_one_line(case: tuple[float, float, float]) -> None:
    own, *rates = case
    config = BertConfig(**SMALL)
    settings = {"model_type": "bare", "own": own}
    config.to_dict = lambda: settings
    config.own = own
    with pytest.raises(InputError, match="whatever the settings") as raised:
        set_dropout(Bare(config), *rates)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("make", "layer"), [(bert, "encoder.layer"), (distilbert, "transformer.layer")])
def test_parameters_that_are_trained_are_known_by_their_names(make: Any, layer: str) -> None:
    model = make()
    assert trained_parameters(model, "none", 1) == ()
    assert trained_parameters(model, "top", 1) == (f"{layer}.1.",)
    assert trained_parameters(model, "top", 2, "a.") == (f"a.{layer}.0.", f"a.{layer}.1.")
    assert trained_parameters(model, "all", 1, "a.") == ("a.",)
    with pytest.raises(InputError, match="2 layers, fewer than 3"):
        trained_parameters(model, "top", 3)
