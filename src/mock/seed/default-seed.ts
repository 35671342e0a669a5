import keys from '../../../fixtures/keys.json' with { type: 'json' }
import pets from '../../../fixtures/pets.json' with { type: 'json' }
import { type SandboxConfig, seedKeys, seedPets } from '../state/beginning.ts'

/** The pets and keys of `fixtures/`, which a sandbox starts with by default. */
export const defaultSeed: SandboxConfig['seed'] = {
  pets: seedPets.parse(pets),
  keys: seedKeys.parse(keys),
}
