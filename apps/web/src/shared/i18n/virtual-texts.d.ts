/** Made by `build/compile-texts.ts`. */
declare module 'virtual:texts' {
  type Catalog = import('./format-message.ts').Catalog;
  /** The English texts of the sign-in screen, by noun. */
  export const first: Record<string, Catalog>;
  /** Loads the texts of a file such as `es/home`, by noun. */
  export const files: Record<string, () => Promise<{ default: Record<string, Catalog> }>>;
}
