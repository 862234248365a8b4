export const Place = () => <p>soon</p>;
