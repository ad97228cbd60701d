/** A wall rising out of the water, with a dotted climbing line to its top and a swimming line across. Decorative. */
export function SignInHero({ className }: { className?: string }) {
  return (
    <svg
      viewBox="-200 0 790 380"
      preserveAspectRatio="xMidYMax slice"
      fill="none"
      aria-hidden="true"
      className={className}
    >
      <path
        className="fill-scene-far"
        d="M-200 232L-96 150L-30 196L52 118L108 164L176 92L262 178L318 138L402 206L480 150L600 240V380H-200Z"
      />
      <path
        className="fill-scene-rock"
        d="M-200 330L-60 262L18 292L92 214L138 232L214 96L258 150L300 132L372 240L440 222L600 320V380H-200Z"
      />
      <path className="fill-scene-shade" d="M214 96L258 150L236 210L262 262L246 330H318L372 240L300 132L258 150Z" />
      <path className="fill-scene-shade" d="M92 214L138 232L120 276L150 330H60L18 292Z" />
      <path
        className="stroke-scene-line"
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="1 11"
        d="M150 318C176 290 150 262 178 238S214 196 198 168S216 124 214 104"
      />
      <g className="stroke-scene-line fill-scene-rock" strokeWidth="4">
        <circle cx="178" cy="238" r="6" />
        <circle cx="198" cy="168" r="6" />
      </g>
      <path className="stroke-ink" strokeWidth="4" strokeLinecap="round" d="M214 98V58" />
      <path className="fill-accent" d="M214 58L246 68L214 80Z" />
      <g className="anim-swell">
        <path
          className="fill-scene-foam"
          d="M-200 318C-160 306-130 306-90 318S-20 330 20 318S90 306 130 318S200 330 240 318S310 306 350 318S420 330 460 318S530 306 600 318V400H-200Z"
        />
      </g>
      <path
        className="fill-scene-water"
        d="M-200 344C-150 332-120 332-70 344S0 356 50 344S120 332 170 344S240 356 290 344S360 332 410 344S480 356 530 344L600 340V400H-200Z"
      />
      <path
        className="stroke-scene-line"
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="1 11"
        d="M30 366C120 358 270 372 372 362"
      />
    </svg>
  );
}
