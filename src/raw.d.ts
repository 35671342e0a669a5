declare module '*?raw' {
  const text: string
  export default text
}

declare module '*.yaml' {
  const value: Readonly<Record<string, unknown>>
  export default value
}

declare module '*.css?inline' {
  const css: string
  export default css
}

declare module '*.css'
