/** How sure and how bad a finding is: proved, unwise or against a documented SHOULD, or a pattern; the worst first. */
export const severities = ['error', 'warning', 'info'] as const

export type Severity = (typeof severities)[number]
