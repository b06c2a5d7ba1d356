/** A name that people gave, on two lines at most; the whole of it on hover. */
export function Name({ children }: { children: string }) {
  return (
    <span title={children} className="line-clamp-2 wrap-anywhere">
      {children}
    </span>
  )
}
