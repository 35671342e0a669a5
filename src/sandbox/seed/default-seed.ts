import keys from '../../../fixtures/keys.json' with { type: 'json' }
import pets from '../../../fixtures/pets.json' with { type: 'json' }
import { type SandboxConfig, seedKeys, seedPets } from '../../mock/state/beginning.ts'

/** Default seed of a sandbox: the pets and keys in `fixtures/`. */
export const defaultSeed: SandboxConfig['seed'] = {
  pets: seedPets.parse(pets),
  keys: seedKeys.parse(keys),
}
