import keysText from '../../fixtures/keys.json?raw'
import petsText from '../../fixtures/pets.json?raw'
import { parseJson } from '../contract/json/json.ts'
import { type Beginning, seedKeys, seedPets } from '../state/beginning.ts'

/** The pets and keys of `fixtures/`, which a sandbox starts with by default. */
export const defaultSeed: Beginning['seed'] = {
  pets: seedPets.read(parseJson(petsText)),
  keys: seedKeys.read(parseJson(keysText)),
}
