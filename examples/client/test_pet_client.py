import os
import unittest

from pet_client import PetClient, PetClientError

# Shorter than by default, since tests have less patience than users.
client = PetClient(
    os.environ.get("PETSTORE_API_URL", "http://127.0.0.1:7387/v1"),
    os.environ.get("PETSTORE_KEY", "free-key"),
    time_limit=5,
    look_after=(0.5, 2.5),
)


class PetClientTest(unittest.TestCase):
    def test_lists_pets(self):
        pets = client.list_pets()
        self.assertGreater(len(pets), 0)
        self.assertTrue(all(isinstance(pet["id"], int) for pet in pets))

    def test_lists_pets_with_a_status(self):
        pets = client.list_pets(limit=5, status="sold")
        self.assertTrue(all(pet["status"] == "sold" for pet in pets))

    def test_adds_a_pet(self):
        pet = client.create_pet({"name": "Rex", "categoryId": 1})
        self.assertIsInstance(pet["id"], int)
        self.assertEqual(pet["name"], "Rex")

    def test_fails_at_once_if_a_pet_is_invalid(self):
        with self.assertRaises(PetClientError) as caught:
            client.create_pet({"name": "Rex", "categoryId": 1, "status": "asleep"})
        self.assertEqual(caught.exception.status, 400)
