/** The carabiner with water in it. Decorative: the app's name is beside it. */
export function BrandMark({ size, className }: { size: number; className?: string }) {
  return (
    <svg
      width={(size * 2) / 3}
      height={size}
      viewBox="112 40 288 432"
      fill="none"
      aria-hidden="true"
      className={className}
    >
      <g strokeLinecap="round" strokeLinejoin="round" strokeWidth="42" transform="rotate(14 256 256)">
        <path
          className="fill-swim"
          d="M164 296C190 262 218 262 250 288C282 314 312 316 352 286L352 330C352 388 312 426 258 426C202 426 164 388 164 330Z"
        />
        <path
          stroke="currentColor"
          d="M340 178C340 122 306 86 254 86C200 86 164 124 164 178L164 330C164 388 204 428 258 428C314 428 354 388 354 332L350 276"
        />
        <path className="stroke-climb" d="M340 178L347 232" />
      </g>
    </svg>
  );
}
