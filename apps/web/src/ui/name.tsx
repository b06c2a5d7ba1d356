/** A name given by people, on two lines at most; hovering shows it whole. */
export function Name({ children }: { children: string }) {
  return (
    <span title={children} className="line-clamp-2 wrap-anywhere">
      {children}
    </span>
  )
}
