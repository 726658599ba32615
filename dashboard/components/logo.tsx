/** A barrier with its arm raised. */
export const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M5 21V5.5M5 9.5l15-4.2M2.5 21h5" />
    <circle cx="5" cy="9.5" r="2.6" />
  </svg>
);
