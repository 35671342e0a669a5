import { type PetSettings, petStatuses } from '../../contract/pet.ts'

const names = 'Bella Max Luna Rocky Mimi Tiger Polly Thumper Zoë Goldie Nemo 小花 Мурка نجمة'.split(
  ' ',
)

const categories = 6

/** Makes pets of all statuses and several categories; the same ones each time. */
export function madeUpPets(count: number): readonly PetSettings[] {
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / names.length)
    const status = petStatuses[index % petStatuses.length]
    return {
      name: `${names[index % names.length]}${round === 0 ? '' : ` ${round + 1}`}`,
      categoryId: (index % categories) + 1,
      ...(status === undefined ? {} : { status }),
    }
  })
}
