import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../src/checks/calibrate/calibrate.ts'
import { recordManners, wrongInManners } from './drawn-manners.ts'

const runs = Number(process.env.MANNERS_RUNS ?? 300)
const firstSeed = Number(process.env.MANNERS_SEED ?? process.env.TEST_SEED ?? 1)

describe('calibrate() of services of any manners', () => {
  it('says nothing wrong of a service that keeps the interface', { timeout: 3_600_000 }, () => {
    const found: string[] = []
    for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
      const { manners, archives } = recordManners(seed)
      const wrong = wrongInManners(calibrate(archives), manners)
      if (wrong.length > 0)
        found.push(
          `MANNERS_SEED=${seed}: ${wrong.slice(0, 3).join('; ')} ${process.env.MANNERS_SHOW ? JSON.stringify(manners) : ''}`,
        )
    }
    expect(found).toEqual([])
  })
})
