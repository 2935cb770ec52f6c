// HeadroomAPI
