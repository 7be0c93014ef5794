"""The caller's addresses: further ones, and those that fail."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.accounts import Accepted, AddAddress, Address, AddressList, ConfirmAddress
from service.clock import now
from service.usecases import addresses
from service.usecases.results import ACCOUNT

blueprint = Blueprint(
    "Addresses", __name__, description="The addresses that you are written to, and how mail to them fares."
)

_ON_ITS_WAY = {
    "detail": "A mail with a code is on its way. Hand the code to POST /api/v1/me/addresses/confirm, or answer the "
    "mail with yes."
}


@blueprint.route("/me/addresses")
@contract("listAddresses", scope=ACCOUNT)
@blueprint.response(200, AddressList)
def list_addresses() -> Any:
    """List your addresses

    In the order in which mail tries them: it goes to the first that is `ok`.
    """
    return {"items": addresses.list_addresses(caller=caller())}


@blueprint.route("/me/addresses", methods=["POST"])
@contract("addAddress", scope=ACCOUNT, refuses=("forbidden",))
@blueprint.arguments(AddAddress)
@blueprint.response(202, Accepted)
def add_address(body: dict[str, Any]) -> Any:
    """Add an address

    A code goes there, good for a day, once, and 5 tries; the address is yours when the code comes back, or the mail
    is answered with `yes`. You can sign in with any of your addresses. The answer is the same whether or not the
    address is known.
    """
    addresses.add(caller=caller(), **body, now=now())
    return _ON_ITS_WAY


@blueprint.route("/me/addresses/confirm", methods=["POST"])
@contract("confirmAddress", scope=ACCOUNT, refuses=("bad-code", "forbidden"))
@blueprint.arguments(ConfirmAddress)
@blueprint.response(200, Address)
def confirm_address(body: dict[str, Any]) -> Any:
    """Hand in the code of an address

    A further address is yours then; one that failed is `ok` again.
    """
    return addresses.redeem(caller=caller(), **body, now=now())


@blueprint.route("/me/addresses/<id:address_id>/test", methods=["POST"])
@contract("testAddress", scope=ACCOUNT, refuses=("not-found",))
@blueprint.response(202, Accepted)
def test_address(address_id: str) -> Any:
    """Test an address

    A code goes there, as for a further address; that it comes back shows that mail arrives.
    """
    addresses.retest(caller=caller(), address_id=address_id, now=now())
    return _ON_ITS_WAY


@blueprint.route("/me/addresses/<id:address_id>/prefer", methods=["POST"])
@contract("preferAddress", scope=ACCOUNT, refuses=("not-found",))
@blueprint.response(200, Address)
def prefer_address(address_id: str) -> Any:
    """Prefer an address

    Mail goes there first, as long as it arrives.
    """
    return addresses.prefer(caller=caller(), address_id=address_id)


@blueprint.route("/me/addresses/<id:address_id>", methods=["DELETE"])
@contract("removeAddress", scope=ACCOUNT, refuses=("not-found", "forbidden"))
@blueprint.response(204)
def remove_address(address_id: str) -> Any:
    """Remove an address

    Never the last one, nor the last one at which mail arrives.
    """
    addresses.remove(caller=caller(), address_id=address_id, now=now())
