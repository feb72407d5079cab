// The score sheet's print button, which only works with scripts.

const button = document.getElementById('print');
button.hidden = false;
button.addEventListener('click', () => window.print());
