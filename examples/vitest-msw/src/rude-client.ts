import type { NewPet, Pet } from './pet-client.ts'

/**
 * A client with bad manners, beside the good one: it sends again whatever failed, a tenth of a second later, up to ten
 * times, and reads neither `Retry-After` nor whether a pet is there by now.
 */
export class RudeClient {
  readonly #apiUrl: string
  readonly #apiKey: string

  constructor({ apiUrl, apiKey }: { readonly apiUrl: string; readonly apiKey: string }) {
    this.#apiUrl = apiUrl
    this.#apiKey = apiKey
  }

  listPets(): Promise<Pet[]> {
    return this.#request<Pet[]>({})
  }

  createPet(pet: NewPet): Promise<Pet> {
    return this.#request<Pet>({ method: 'POST', body: JSON.stringify(pet) })
  }

  async #request<Result>(init: RequestInit): Promise<Result> {
    const headers = { Authorization: `Bearer ${this.#apiKey}`, 'Content-Type': 'application/json' }
    for (let attempt = 0; attempt <= 10; attempt++) {
      const response = await fetch(`${this.#apiUrl}/pets`, { ...init, headers }).catch(() => {})
      if (response?.ok) return (await response.json()) as Result
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error('The pet store does not answer')
  }
}
