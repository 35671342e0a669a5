import keysText from '../../fixtures/keys.json?raw'
import petsText from '../../fixtures/pets.json?raw'
import { parseJson } from '../contract/int64.ts'
import { type ParsedSeed, parseKeys, parsePets } from './seed.ts'

/** The pets and keys of `fixtures/`, which a sandbox has when it is given none. */
export const defaultSeed: Required<ParsedSeed> = {
  pets: parsePets(parseJson(petsText)),
  keys: parseKeys(parseJson(keysText)),
}
