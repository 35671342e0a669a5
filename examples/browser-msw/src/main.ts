import { mountAddPet } from './add-pet.ts'
import { PetDetails } from './pet-details.ts'
import { PetList } from './pet-list.ts'
import { PetStore } from './pet-store.ts'
import { QuotaView } from './quota.ts'

const apiUrl = import.meta.env.VITE_API_URL

// Spelt out, so that a build with an address leaves the mocks out.
if (import.meta.env.VITE_API_URL === undefined) {
  const { startMocks } = await import('./mocks.ts')
  await startMocks()
}

const quota = new QuotaView()
const store = new PetStore({
  baseUrl: apiUrl ?? '/v1',
  apiKey: import.meta.env.VITE_API_KEY ?? 'free-key',
  onQuota: (one) => quota.show(one),
})
const details = new PetDetails(store, quota)
const list = new PetList(store, quota, (pet) => details.open(pet))
mountAddPet(store, quota, ({ name }) => list.load(`${name} was added.`))
await list.load()
