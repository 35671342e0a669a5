import { audit } from './audit.ts'
import type { Benchmark } from './benchmark.ts'
import { consolePage } from './console.ts'
import { http } from './http.ts'
import { limits } from './limits.ts'
import { log } from './log.ts'
import { scale } from './scale.ts'
import { startup } from './startup.ts'
import { tail } from './tail.ts'

/** All benchmarks, in the order in which they run. */
export const benchmarks: readonly Benchmark[] = [
  http,
  tail,
  log,
  startup,
  scale,
  limits,
  audit,
  consolePage,
]
