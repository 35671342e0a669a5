import type { ComponentChildren } from 'preact'
import {
  kindOfPair,
  type LinePair,
  type PairKind,
  type ShownPair,
  shortened,
} from '../model/compare-replies.ts'

interface ComparisonProps {
  readonly caption: string
  readonly before: string
  readonly instead: string
  readonly pairs: readonly LinePair[]
}

/** What is said of a pair: a shape and a word, so that colour is never alone. */
const marks: Readonly<Record<PairKind, readonly [shape: string, word: string]>> = {
  same: ['', ''],
  differs: ['≠', 'differs'],
  'only-before': ['−', 'gone'],
  'only-instead': ['+', 'new'],
}

/** Two texts side by side, line by line, with what differs marked; what is the same is cut short. */
export function Comparison({ caption, before, instead, pairs }: ComparisonProps) {
  return (
    <table class="comparison">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">Difference</span>
          </th>
          <th scope="col">{before}</th>
          <th scope="col">{instead}</th>
        </tr>
      </thead>
      <tbody>{shortened(pairs).map(rowOf)}</tbody>
    </table>
  )
}

function rowOf(pair: ShownPair, at: number): ComponentChildren {
  if ('left' in pair) {
    return (
      <tr key={at} class="left-out">
        <td colSpan={3}>⋯ {pair.left === 1 ? '1 line is' : `${pair.left} lines are`} the same</td>
      </tr>
    )
  }
  const kind = kindOfPair(pair)
  const [shape, word] = marks[kind]
  return (
    <tr key={at} class={kind}>
      <td class="mark">
        <span aria-hidden="true">{shape}</span> {word}
      </td>
      <td>{kind === 'differs' ? <del>{pair.before}</del> : pair.before}</td>
      <td>{kind === 'differs' ? <ins>{pair.instead}</ins> : pair.instead}</td>
    </tr>
  )
}
