import { describe, expect, inject, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'
import { recordManners, wrongInManners } from './drawn-manners.ts'

const firstSeed = inject('testSeed')

describe('calibrate() of services of any manners', () => {
  it('says nothing wrong of a service that keeps the interface', { timeout: 3_600_000 }, () => {
    const sometimes = new Sometimes(...['confirmed', 'narrowed', 'not-seen', 'contradicted'])
    const found: string[] = []
    for (let seed = firstSeed; seed < firstSeed + draws(100); seed++) {
      const { manners, archives } = recordManners(seed)
      const report = calibrate(archives)
      for (const { result } of Object.values(report.gaps)) sometimes.meet({ [result]: true })
      const wrong = wrongInManners(report, manners)
      if (wrong.length > 0)
        found.push(
          `TEST_SEED=${seed}: ${wrong.slice(0, 3).join('; ')} ${process.env.MANNERS_SHOW ? JSON.stringify(manners) : ''}`,
        )
    }
    expect(found).toEqual([])
    sometimes.expectAllMet()
  })
})
