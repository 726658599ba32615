/** A file of statements, as text: `import text from './file.sql' with { type: 'text' }`. */
declare module '*.sql' {
  const text: string;
  export default text;
}
