/** SVG paths of all signs, in a 16 by 16 view box. */
const shapes = {
  good: 'M8 3.5a4.5 4.5 0 1 0 .01 0Z',
  rejected: 'M8 3l5.2 9.5H2.8Z',
  limited: 'M8 2.5l5.5 5.5L8 13.5 2.5 8Z',
  broken:
    'M3.7 5.1l1.4-1.4L8 6.6l2.9-2.9 1.4 1.4L9.4 8l2.9 2.9-1.4 1.4L8 9.4l-2.9 2.9-1.4-1.4L6.6 8Z',
  info: 'M8 2.5a5.5 5.5 0 1 0 .01 0Zm0 1.8a3.7 3.7 0 1 1-.01 0Z',
  waiting: 'M8 2a6 6 0 1 0 6 6h-1.8A4.2 4.2 0 1 1 8 3.8Z',
  check: 'M6.5 12.3L2.6 8.4l1.3-1.3 2.6 2.6 5.6-5.6 1.3 1.3Z',
  close: 'M4 5.1L5.1 4 8 6.9 10.9 4 12 5.1 9.1 8 12 10.9 10.9 12 8 9.1 5.1 12 4 10.9 6.9 8Z',
  more: 'M3.2 6.6a1.4 1.4 0 1 0 .01 0ZM8 6.6a1.4 1.4 0 1 0 .01 0Zm4.8 0a1.4 1.4 0 1 0 .01 0Z',
  down: 'M3.6 6.2L4.7 5 8 8.4 11.3 5l1.1 1.2L8 10.7Z',
  previous: 'M9.8 3.6L11 4.7 7.6 8l3.4 3.3-1.2 1.1L5.3 8Z',
  next: 'M6.2 3.6L5 4.7 8.4 8 5 11.3l1.2 1.1L10.7 8Z',
  clock: 'M8 2a6 6 0 1 0 .01 0Zm0 1.6a4.4 4.4 0 1 1-.01 0Zm-.8 1.6h1.5v2.6l2 1.2-.8 1.3-2.7-1.7Z',
  frozen: 'M4.5 3.5h2.4v9H4.5Zm4.6 0h2.4v9H9.1Z',
  fault: 'M9.3 1.5L3.4 9h3.4l-1 5.5L12.4 7H8.7Z',
  paw: 'M4 5.1a1.4 1.9 0 1 0 .01 0ZM6.7 2a1.4 2 0 1 0 .01 0Zm3 0a1.4 2 0 1 0 .01 0Zm2.6 3.1a1.4 1.9 0 1 0 .01 0ZM8.1 7.5C6 7.5 4.3 9.7 4.3 11.5c0 1.3 1 1.9 2 1.9.7 0 1.2-.4 1.8-.4s1.1.4 1.8.4c1 0 2-.6 2-1.9 0-1.8-1.7-4-3.8-4Z',
} as const

export type SignName = keyof typeof shapes

/** An icon in the colour of its text; the text beside it has the meaning. */
export function Sign({ name }: { readonly name: SignName }) {
  return (
    <svg class={`sign sign-${name}`} width={16} height={16} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
