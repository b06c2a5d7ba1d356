/** Calls `keep` whenever the page is hidden: a phone may end one that is in the background. Returns a function that ends this. */
export function whenHidden(keep: () => void): () => void {
  document.addEventListener('visibilitychange', keep)
  window.addEventListener('pagehide', keep)
  return () => {
    document.removeEventListener('visibilitychange', keep)
    window.removeEventListener('pagehide', keep)
  }
}
