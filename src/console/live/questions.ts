import type { ConsoleClient } from './console-client.ts'
import { Question } from './question.ts'

/** What screens ask a sandbox. */
export class Questions {
  readonly coverage
  readonly pets
  readonly scenarios
  readonly findings
  /** As if each key were a single client. */
  readonly findingsOfKeys

  constructor(client: ConsoleClient) {
    this.coverage = new Question(() => client.coverage())
    this.pets = new Question(() => client.pets.list())
    this.scenarios = new Question(() => client.scenarios())
    this.findings = new Question(() => client.audit({ oneClient: false }))
    this.findingsOfKeys = new Question(() => client.audit({ oneClient: true }))
  }
}
