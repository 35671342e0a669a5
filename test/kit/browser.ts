import { type Browser, chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/browsers.ts'

const { executablePath, args } = chromiumLaunchOptions()

/**
 * Browser of all tests in a process, each of which opens a context of its own. Every name of `.test` leads to this machine,
 * as after DNS rebinding.
 */
export const browser: Browser = await chromium.launch({
  executablePath,
  args: [...args, '--host-resolver-rules=MAP *.test 127.0.0.1'],
})
