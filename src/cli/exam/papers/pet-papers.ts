import { type Paper, usualPaper } from './paper.ts'

/** Papers on pets. */
export const petPapers = {
  'large-ids': {
    ...usualPaper,
    subject: 'pets',
    about: 'New pets get ids above 2^53, which a double cannot hold.',
    spec: '2',
    needs: 'createPet',
    gaps: [{ gap: 'idSequence', choice: 'large' }],
    set() {},
    isMet: ({ decision: { petId } }) =>
      petId !== undefined && BigInt(petId) > Number.MAX_SAFE_INTEGER,
    red: 'look',
    advice: 'Read ids as 64-bit integers, or as text: a double rounds them to another pet.',
  },
} as const satisfies Record<string, Paper>
