import type { ReadCapture } from '../../../control/reports/capture-file.ts'
import type { CaptureForm } from '../replay-options.ts'

/** What writes each form; loaded when it is asked for. */
const forms: { readonly [Form in CaptureForm]: () => Promise<(capture: ReadCapture) => string> } = {
  vitest: async () => (await import('./vitest-form.ts')).vitestForm,
  curl: async () => (await import('./curl-form.ts')).curlForm,
  har: async () => (await import('./har-form.ts')).harForm,
}

/** Writes a capture in another form. */
export async function inForm(form: CaptureForm, capture: ReadCapture): Promise<string> {
  const write = await forms[form]()
  return write(capture)
}
