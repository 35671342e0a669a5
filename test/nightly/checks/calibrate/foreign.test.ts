import { afterAll, describe, expect, inject, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { namesOf } from '../../../../src/mock/input/record.ts'
import { wrongAbout } from '../../../unit/checks/calibrate/wrong-in.ts'
import {
  expressBreaks,
  expressManners,
  pythonBreaks,
  pythonManners,
  truthOf,
} from './foreign-manners.ts'
import { startExpress, startPython } from './foreign-services.ts'
import { kinds, record } from './foreign-traffic.ts'

const seed = inject('testSeed')
const python = startPython()
const express = await startExpress()
afterAll(async () => {
  await python[Symbol.asyncDispose]()
  await express[Symbol.asyncDispose]()
})

const services = [
  {
    ...{ language: 'Python', service: python, manners: pythonManners, breaks: pythonBreaks },
    own: { storeOrders: 'not-implemented', trailingSlash: 'not-found' },
  },
  {
    ...{ language: 'Express', service: express, manners: expressManners, breaks: expressBreaks },
    own: { storeOrders: 'not-found', trailingSlash: 'ignore' },
  },
] as const

describe.each(services)(
  'calibrate() of a service in $language',
  ({ service, manners, breaks, own }) => {
    it.each(namesOf(manners))('is never wrong about one with %s', async (name) => {
      const settings = manners[name] ?? {}
      const truth = truthOf(settings, own)
      const found: string[] = []
      for (const [index, kind] of kinds.entries()) {
        const drawn = seed * 1000 + index * 101 + namesOf(manners).indexOf(name)
        await service.begin(settings, drawn)
        const report = calibrate([await record(service, kind, settings, drawn)])
        found.push(...wrongAbout(report, truth).map((wrong) => `${kind} ${drawn}: ${wrong}`))
      }
      expect(found).toEqual([])
    })

    it.each(namesOf(breaks))('names the clause that one breaks: %s', async (name) => {
      const { manners: settings, clause } = breaks[name] ?? { manners: {}, clause: '' }
      const archives = []
      for (const [index, kind] of kinds.entries()) {
        const drawn = seed * 1000 + index * 101 + 7
        await service.begin(settings, drawn)
        archives.push(await record(service, kind, settings, drawn))
      }
      const broken = archives.map((archive) => {
        const { clauses } = calibrate([archive])
        return namesOf(clauses).filter((one) => clauses[one].result === 'broken')
      })
      expect(new Set(broken.flat())).toEqual(new Set([clause]))
    })
  },
)
