import { find, write } from './elements.ts'
import { type Pet, type PetStatus, type PetStore, RateLimitError } from './pet-store.ts'
import type { QuotaView } from './quota.ts'

export const statusNames: Readonly<Record<PetStatus, string>> = {
  available: 'Available',
  pending: 'Pending',
  sold: 'Sold',
}

/** The list of pets, with its filter. */
export class PetList {
  readonly #store: PetStore
  readonly #quota: QuotaView
  readonly #open: (pet: Pet) => void
  readonly #section = find('#pets')
  readonly #list = find('ul', this.#section)
  readonly #failure = find('.failure', this.#section)
  readonly #filter = find<HTMLFieldSetElement>('#filter')
  #running = new AbortController()

  /** @param open Called with a pet whose details are asked for. */
  constructor(store: PetStore, quota: QuotaView, open: (pet: Pet) => void) {
    this.#store = store
    this.#quota = quota
    this.#open = open
    this.#filter.addEventListener('change', () => this.load())
    find('[data-part="again"]', this.#failure).addEventListener('click', () => this.load())
  }

  /**
   * Asks the store for the pets that the filter lets through, and shows them.
   *
   * @param news What to say beside their number.
   */
  async load(news = ''): Promise<void> {
    this.#running.abort()
    this.#running = new AbortController()
    const { signal } = this.#running
    this.#showBusy()
    try {
      const pets = await this.#store.list(this.#status, signal)
      if (!signal.aborted) this.#show(pets, news)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RateLimitError) this.#quota.pause(error, () => this.load(news))
      else this.#showFailure(error)
    }
  }

  get #status(): PetStatus | undefined {
    const { value } = find<HTMLInputElement>('input:checked', this.#filter)
    return value === '' ? undefined : (value as PetStatus)
  }

  #showBusy(): void {
    this.#failure.hidden = true
    this.#section.ariaBusy = 'true'
    if (this.#list.childElementCount > 0) return
    this.#list.replaceChildren(...Array.from({ length: 6 }, skeleton))
  }

  #show(pets: readonly Pet[], news: string): void {
    this.#section.ariaBusy = 'false'
    this.#list.replaceChildren(...pets.map((pet) => this.#card(pet)))
    find('.nothing', this.#section).hidden = pets.length > 0
    const count = pets.length === 1 ? '1 pet' : `${pets.length} pets`
    find('#count').textContent = news === '' ? count : `${count} – ${news}`
  }

  #showFailure(error: unknown): void {
    this.#section.ariaBusy = 'false'
    this.#list.replaceChildren()
    find('.nothing', this.#section).hidden = true
    find('#count').textContent = ''
    write('reason', error instanceof Error ? error.message : String(error), this.#failure)
    this.#failure.hidden = false
  }

  #card(pet: Pet): Node {
    const card = find<HTMLTemplateElement>('#card').content.cloneNode(true) as DocumentFragment
    const avatar = find('.avatar', card)
    avatar.textContent = [...pet.name][0] ?? '?'
    avatar.style.setProperty('--hue', String((BigInt(pet.categoryId) * 47n) % 360n))
    find('bdi', card).textContent = pet.name
    write('category', String(pet.categoryId), card)
    const badge = find('.badge', card)
    badge.textContent = pet.status === undefined ? 'Unknown' : statusNames[pet.status]
    badge.dataset.status = pet.status ?? 'unknown'
    const button = find('button', card)
    button.ariaLabel = `Details of ${pet.name}`
    button.addEventListener('click', () => this.#open(pet))
    return card
  }
}

function skeleton(): HTMLElement {
  const item = document.createElement('li')
  item.className = 'card skeleton'
  item.ariaHidden = 'true'
  return item
}
