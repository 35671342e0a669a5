import { find, makeClosable } from './elements.ts'
import { parseInt64 } from './json.ts'
import {
  type NewPet,
  type Pet,
  type PetStatus,
  type PetStore,
  PetStoreError,
  RateLimitError,
} from './pet-store.ts'
import type { QuotaView } from './quota.ts'

type Field = keyof NewPet

const fields: readonly Field[] = ['name', 'categoryId', 'status']

/** What is wrong with a field, or with the whole form. */
type Problems = Partial<Record<Field | 'whole', string>>

/** Makes the button and the form that add a pet; `added` is called with each. */
export function mountAddPet(store: PetStore, quota: QuotaView, added: (pet: Pet) => void): void {
  const dialog = find<HTMLDialogElement>('#add-dialog')
  const form = find<HTMLFormElement>('form', dialog)
  makeClosable(dialog)
  const button = find<HTMLButtonElement>('#add')
  button.disabled = false
  button.addEventListener('click', () => {
    show({}, form)
    dialog.showModal()
  })
  form.addEventListener('input', () => show({}, form))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (quota.isPaused) return
    const read = readForm(form)
    if ('problems' in read) {
      show(read.problems, form)
      return
    }
    setBusy(true, form)
    try {
      const pet = await store.add(read.pet)
      form.reset()
      dialog.close()
      added(pet)
    } catch (error) {
      if (error instanceof RateLimitError) quota.pause(error)
      else show(problemsOf(error), form)
    } finally {
      setBusy(false, form)
    }
  })
}

function readForm(
  form: HTMLFormElement,
): { readonly pet: NewPet } | { readonly problems: Problems } {
  const data = new FormData(form)
  const name = String(data.get('name')).trim()
  const category = String(data.get('categoryId')).trim()
  const categoryId = parseInt64(category)
  const problems: Problems = {}
  if (name === '') problems.name = 'Give the pet a name.'
  if (category === '') problems.categoryId = 'Say which category the pet is in.'
  else if (categoryId === undefined) problems.categoryId = `“${category}” is not a whole number.`
  if (categoryId === undefined || name === '') return { problems }
  return { pet: { name, categoryId, status: data.get('status') as PetStatus } }
}

/** The store names the field that it rejects, as in `Cannot use name: …`. */
function problemsOf(error: unknown): Problems {
  if (!(error instanceof PetStoreError)) throw error
  const [, name, problem] = /^Cannot use (\w+): (.*)$/s.exec(error.message) ?? []
  const field = fields.find((one) => one === name)
  if (error.status !== 400 || field === undefined || problem === undefined) {
    return { whole: error.message }
  }
  return { [field]: `The store says: ${problem}.` }
}

function show(problems: Problems, form: HTMLFormElement): void {
  for (const field of fields) {
    const input = find(`[name="${field}"]`, form)
    const problem = problems[field] ?? ''
    input.ariaInvalid = String(problem !== '')
    find(`#${field}-problem`, form).textContent = problem
  }
  find('.whole', form).textContent = problems.whole ?? ''
  const first = fields.find((field) => problems[field] !== undefined)
  if (first !== undefined) find(`[name="${first}"]`, form).focus()
}

function setBusy(isBusy: boolean, form: HTMLFormElement): void {
  const button = find<HTMLButtonElement>('[type="submit"]', form)
  button.disabled = isBusy
  button.textContent = (isBusy ? button.dataset.busy : button.dataset.ready) ?? ''
}
