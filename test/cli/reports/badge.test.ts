import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { badgeSvg } from '../../../src/cli/reports/badge.ts'
import type { Level } from '../../../src/cli/reports/report.ts'

/** Relative luminance, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('badgeSvg()', () => {
  const levels: readonly Level[] = ['ok', 'info', 'warning', 'error']

  it.each(levels)('is legible at level %s', (level) => {
    const svg = badgeSvg({ label: 'exam', text: 'passed', level })
    const colors = [...svg.matchAll(/fill="(#[\da-f]{6})"/g)].map(([, color = '']) => color)
    expect(colors).toHaveLength(2)
    for (const color of colors) expect(1.05 / (luminance(color) + 0.05)).toBeGreaterThan(4.5)
  })

  it('says what it shows to who can not see it', () => {
    const svg = badgeSvg({ label: 'exam', text: '2 to fix', level: 'error' })
    expect(svg).toContain('role="img" aria-label="exam: 2 to fix"')
    expect(svg).toContain('<title>exam: 2 to fix</title>')
  })

  it('is XML whatever the texts are', () => {
    const texts = ['<script>alert(1)</script>', '" onload="alert(1)', '\u0000\ufffe&', ']]>', '']
    const script = `import json, sys, xml.etree.ElementTree as tree
print(json.dumps([len(list(tree.fromstring(text).iter())) for text in json.load(sys.stdin)]))`
    const badges = texts.map((text) => badgeSvg({ label: text, text, level: 'ok' }))
    const input = JSON.stringify(badges)
    const counts = JSON.parse(execFileSync('python3', ['-c', script], { input, encoding: 'utf8' }))
    expect(counts).toEqual(texts.map(() => 7))
  })
})
