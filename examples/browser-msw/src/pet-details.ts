import { find, makeClosable, write } from './elements.ts'
import { statusNames } from './pet-list.ts'
import { type Deprecation, type Pet, type PetStore, RateLimitError } from './pet-store.ts'
import type { QuotaView } from './quota.ts'

/** The dialog that shows one pet, and what the store says of the operation behind it. */
export class PetDetails {
  readonly #store: PetStore
  readonly #quota: QuotaView
  readonly #dialog = find<HTMLDialogElement>('#pet-dialog')

  constructor(store: PetStore, quota: QuotaView) {
    this.#store = store
    this.#quota = quota
    makeClosable(this.#dialog)
  }

  async open({ id, name }: Pet): Promise<void> {
    find('bdi', this.#dialog).textContent = name
    this.#show({ part: '.busy' })
    this.#dialog.showModal()
    try {
      const { pet, deprecation } = await this.#store.get(id)
      write('id', String(pet.id), this.#dialog)
      write('category', String(pet.categoryId), this.#dialog)
      write('status', pet.status === undefined ? 'Unknown' : statusNames[pet.status], this.#dialog)
      this.#show({ part: 'dl', deprecation })
    } catch (error) {
      if (error instanceof RateLimitError) this.#quota.pause(error)
      find('.problem', this.#dialog).textContent =
        error instanceof Error ? error.message : String(error)
      this.#show({ part: '.problem' })
    }
  }

  #show({
    part,
    deprecation,
  }: {
    readonly part: string
    readonly deprecation?: Deprecation | undefined
  }): void {
    for (const one of ['.busy', '.problem', 'dl']) find(one, this.#dialog).hidden = one !== part
    find('.deprecated', this.#dialog).hidden = deprecation === undefined
    if (deprecation !== undefined) write('deprecation', textOf(deprecation), this.#dialog)
  }
}

function textOf({ removedAt, successor }: Deprecation): string {
  const when =
    removedAt === undefined
      ? 'in some time'
      : `on ${new Date(removedAt).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })}`
  const instead = successor === undefined ? '' : `, and asks to use ${successor} instead`
  return `The store removes the operation behind this view ${when}${instead}.`
}
