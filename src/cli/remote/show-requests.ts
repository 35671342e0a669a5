import type { RequestsOptions } from './remote-options.ts'
export async function showRequests(_o: RequestsOptions, _s: NodeJS.WriteStream): Promise<void> {}
