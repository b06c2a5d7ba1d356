import type { Brand } from '@batti/contracts/brand'

/** The brand's mark: the one lamp that is always on. */
export function BrandMark({ brand }: { brand: Brand }) {
  return (
    <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden="true">
      <circle cx="16" cy="15" r="14" fill="var(--on-soft)" />
      {brand.mark === 'lamp' ? (
        <>
          <path
            d="M16 6a7 7 0 0 0-4.400 12.400c.8.700 1.300 1.600 1.500 2.600h5.800c.2-1 .7-1.900 1.500-2.600A7 7 0 0 0 16 6Z"
            fill="var(--on)"
            stroke="var(--on-edge)"
          />
          <path
            d="M13.200 23.500h5.600M14.200 26.500h3.600"
            stroke="var(--ink)"
            strokeWidth="1.800"
            strokeLinecap="round"
          />
        </>
      ) : (
        <>
          <path d="M8 20a8 8 0 0 1 16 0Z" fill="var(--on)" stroke="var(--on-edge)" />
          <path
            d="M16 5.500V9M6.800 9.800l2.400 2.400M25.200 9.800l-2.400 2.400M5 23.500h22"
            stroke="var(--ink)"
            strokeWidth="1.800"
            strokeLinecap="round"
          />
        </>
      )}
    </svg>
  )
}
