import { fromTexts } from '../../input/object.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readEach } from '../usage/read-each.ts'
import { type ExecAuditOptions, execAuditOptions } from './audit-command-options.ts'

/**
 * Reads how `exec` is to judge its command; `undefined` if it isn't.
 *
 * @throws {@link InputError} naming the option; {@link CliError} for one that says how, where none says that.
 */
export function readExecAudit(
  texts: Readonly<Record<string, string>>,
): ExecAuditOptions | undefined {
  const values = fromTexts(execAuditOptions, texts)
  const options = readEach(execAuditOptions, values, (name) => `--${name}`)
  if (options.audit) return options
  const [name] = Object.keys(texts).filter((one) => one !== 'audit')
  if (name === undefined) return undefined
  throw new CliError(`Cannot use --${name}: nothing is audited; add --audit`, 2)
}
