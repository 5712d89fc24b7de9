pragma circom 2.0.0;

// y = x^(2^n) + n constraints of squares: a circuit of more than one block.
template Chain(n) {
    signal input x;
    signal output y;
    signal steps[n + 1];
    steps[0] <== x;
    for (var i = 0; i < n; i++) {
        steps[i + 1] <== steps[i] * steps[i] + steps[0] + i;
    }
    y <== steps[n] * x;
}

component main = Chain(70);
